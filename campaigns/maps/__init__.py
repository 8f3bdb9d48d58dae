"""The country of a campaign as it is drawn: lands that touch where they are neighbours, and water where they are not."""
