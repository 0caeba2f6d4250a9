"""Rings of one molecule: who is how far from an atom."""

import graphrings as gr

molecules = gr.load("MUTAG")
molecule = molecules[0]
print(molecules)
print(molecule)

rings = gr.rings(molecule, radius=3)
for distance in range(4):
    members = rings.matrix(distance)[[0]].indices
    print(f"at distance {distance} of atom 0: {members.tolist()}")
