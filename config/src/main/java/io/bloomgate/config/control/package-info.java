/**
 * The control protocol between the command line and the running gateway.
 *
 * <p>One request is one JSON line ({@link io.bloomgate.config.control.ControlRequest}); the answer
 * is one or more JSON lines ({@link io.bloomgate.config.control.ControlReply}), the last of which
 * is {@code Done} or {@code Failed}. {@link io.bloomgate.config.control.ControlCodec} turns both
 * into text and back; it is pure and total. A {@link io.bloomgate.config.control.ControlClient}
 * encodes requests, the gateway's control server decodes them.
 */
@NullMarked
package io.bloomgate.config.control;

import org.jspecify.annotations.NullMarked;
