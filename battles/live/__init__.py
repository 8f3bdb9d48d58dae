"""Live tables: a battle that two people play with miniatures, and the sheet that both of their phones show."""
