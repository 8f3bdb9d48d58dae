"""What happens to companies and pilots between games: loans and skills."""
