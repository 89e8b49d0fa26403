/**
 * The decision log: records, their lines, and the pace that keeps a flood from filling the disk.
 *
 * <p>Called by sessions and never blocks them; one thread writes. Only this package sees logback.
 */
@NullMarked
package io.bloomgate.gateway.log;

import org.jspecify.annotations.NullMarked;
