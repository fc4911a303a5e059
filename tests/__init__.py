"""The tests, in rooms that mirror the code: they import what they share by its full name."""
