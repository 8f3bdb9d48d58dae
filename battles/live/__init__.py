"""The table: a battle that two people play with the miniatures, and the sheet that both of their phones show of it."""
