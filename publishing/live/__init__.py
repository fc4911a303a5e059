"""Python for the reader's browser, and the scripts of a page that runs."""
