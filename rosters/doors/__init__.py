"""Who comes in and how: addresses, limits on wrong passwords, tokens, second factors, sessions, the log of sign-ins."""
