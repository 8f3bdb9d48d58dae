"""The odds of pairs that an organiser makes by hand, counted beside the plan of their round."""
