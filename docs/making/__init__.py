"""Pages and pictures of the documentation site that are made from code."""
