/**
 * What is told about decisions: log lines, incidents, metrics, tail.
 *
 * <p>Called by sessions; never blocks them. The only package that sees micrometer.
 */
@NullMarked
package io.bloomgate.gateway.observe;

import org.jspecify.annotations.NullMarked;
