"""What tools/grade.py is made of: data on a pipe, the process behind it, the files handed in."""
