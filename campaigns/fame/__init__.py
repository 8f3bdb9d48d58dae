"""What a club remembers: medals, records, who fell, and the lives of pilots, told of its matches and ledgers."""
