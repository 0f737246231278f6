"""What benchmark tools print -> typed runs. Pure: text in, runs or a reason out."""
