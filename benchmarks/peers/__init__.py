"""The peers that training is timed against: one network, written twice in PyTorch Geometric.

``as_written`` (P1) is how the library's users write it, ``hand_tuned`` (P2) how an expert would who
stays within torch and the library. Both modules offer the same five functions::

    data = prepare(dataset, radius)
    network = build(dataset, radius, k, seed)
    optimiser = adam(network, learning_rate)
    for batch in batches(data, index_arrays):  # one array of graph numbers per batch
        loss = step(network, optimiser, batch)

``radius=None`` makes DGCNN, Eq. (7); a number makes the rings 0 .. radius of Eq. (10), each with
weights of its own. Start weights travel between the peers, and to whoever is compared with them, by
``network.weights()`` and ``network.set_weights(weights)``, a dict of float32 tensors:

=========================  ============================  ==========================================
name                       shape                         what
=========================  ============================  ==========================================
``layers.{l}.weight``      ((radius + 1) * out, in)      rows ring by ring: W^0, then W^1, ...
``layers.{l}.bias``        ((radius + 1) * out,)         in the same order, added inside the mean
``rows.weight, .bias``     (16, width), (16,)            the first 1-D convolution, a row per node
``conv.weight, .bias``     (32, 16, 5), (32,)            the second 1-D convolution
``dense.weight, .bias``    (128, 32 * length), (128,)    its input is flattened channel by channel
``out.weight, .bias``      (classes, 128), (classes,)    the class scores
=========================  ============================  ==========================================

``in`` of layer l is (radius + 1) * out of layer l - 1, ring by ring; ``width`` is that of all
layers side by side, (radius + 1) * 97, and ``length`` is k // 2 - 4. DGCNN has one block of rows.
"""
