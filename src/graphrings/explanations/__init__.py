"""What a prediction was made from: nodes, edges and distances, family by family."""
