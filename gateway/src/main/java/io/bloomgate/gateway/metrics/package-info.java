/**
 * Counters and gauges, as Prometheus reads them and as {@code status} shows them.
 *
 * <p>Called by sessions and never blocks them. Only this package sees micrometer.
 */
@NullMarked
package io.bloomgate.gateway.metrics;

import org.jspecify.annotations.NullMarked;
