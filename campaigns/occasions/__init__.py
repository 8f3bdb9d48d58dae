"""Word gets out: the one list of occasions, who is told of each, and the ways that it goes."""
