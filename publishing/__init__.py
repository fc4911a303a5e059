"""What makes pages, slides, the PDF and packages of the book."""
