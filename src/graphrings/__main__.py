"""``python -m graphrings``: the same command, where its script is not on the path."""

from graphrings.cli.start import main

if __name__ == "__main__":
    main()
