"""Accounts and sign-in: limits on wrong passwords, tokens, second factors, sessions, the sign-in log, deletion."""
