"""Checks that are too long for a line of the ledger, a module for each source."""
