"""Speed as ratios against peers, all sides timed in one run."""
