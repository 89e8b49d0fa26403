/**
 * Sends what {@code status} shows as an alarm: once when it begins and once when it ends, by mail
 * and by a POST of JSON. What fails here never reaches mail or a command.
 *
 * <p>Called by chores of the housekeeping and by control connections, on threads that may block.
 */
@NullMarked
package io.bloomgate.gateway.alarm;

import org.jspecify.annotations.NullMarked;
