"""The pages: extensions of Sphinx, templates, styles and scripts."""
