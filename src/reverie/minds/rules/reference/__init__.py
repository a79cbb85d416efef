"""What a turn takes for granted, and where the talk before it says so: whom "she" means, which question it answers."""
