"""What may be wrong with a line of a DGCNN text."""

GOOD, NO_COUNT, NO_GRAPH, NO_NODE, TOO_FEW, OUT_OF_RANGE, NO_NODES, CUT_OFF, LEFT_OVER = range(9)
