"""Live tables: a battle of two people with miniatures, and the sheet that both their phones show."""
