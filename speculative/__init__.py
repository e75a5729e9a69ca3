"""What will be said: replies prepared before they are asked for, and their audio."""
