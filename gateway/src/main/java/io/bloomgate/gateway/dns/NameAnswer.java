package io.bloomgate.gateway.dns;

import io.bloomgate.gateway.relay.ReverseName;
import java.time.Duration;

/**
 * What a look-up found. Immutable.
 *
 * @param keep how long the answer may be given again
 */
record NameAnswer(ReverseName name, Duration keep) {}
