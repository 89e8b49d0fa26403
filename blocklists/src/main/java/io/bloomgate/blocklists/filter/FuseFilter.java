package io.bloomgate.blocklists.filter;

/**
 * Binary fuse filter: each key has three slots near each other whose fingerprints combine to its
 * own. Frozen: made from all its keys at once. It spends 9 or 18 bits on a key where keys are many
 * (1.13 slots a key; about 1.4 at a thousand keys) and has one rate for each width, 1/256 or
 * 1/65,536; half of a blocked Bloom filter's space at the lower one, for three memory accesses in
 * place of one.
 *
 * <p>After Graf and Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters" (2022),
 * 3-wise, with partitions of their own seeds and segments (see {@link FusePartitions}). The {@code
 * fill} of its shape is the ratio of keys to slots.
 */
public sealed interface FuseFilter extends MembershipFilter permits Fuse8Filter, Fuse16Filter {}
