"""Times as people say them."""


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{max(0, seconds):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 36 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"
