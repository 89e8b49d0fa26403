/**
 * Figures of filters, indexes and snapshots, taken side by side with the sets and filters that a
 * Java engineer would pick, started by {@code integration-tests/bench/filters.sh}; and what feeds
 * cost, started by {@code feeds.sh} beside it. No product code.
 */
@NullMarked
package io.bloomgate.bench;

import org.jspecify.annotations.NullMarked;
