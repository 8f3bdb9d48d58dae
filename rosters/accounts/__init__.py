"""Sign-in and access: addresses, limits on wrong passwords, tokens, second factors, sessions, the log of sign-ins."""
