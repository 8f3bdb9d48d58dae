"""The odds of pairs that an organiser makes, calculated while they plan the round."""
