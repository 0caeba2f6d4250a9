"""The pictures of a report, one a file: records in, one inline SVG out."""
