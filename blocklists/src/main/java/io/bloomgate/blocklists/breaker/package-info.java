/**
 * The last guard of feeds: what a publish brought falls back to observe when it refuses senders who
 * were good until then (promise P5). Knows feeds by name only.
 */
@NullMarked
package io.bloomgate.blocklists.breaker;

import org.jspecify.annotations.NullMarked;
