/**
 * The last guard of feeds: what is new in a version is held back when it would refuse senders who
 * have been good for days (promise P5). Knows feeds by name only.
 */
@NullMarked
package io.bloomgate.blocklists.breaker;

import org.jspecify.annotations.NullMarked;
