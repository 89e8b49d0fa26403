package io.bloomgate.gateway.session;

import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.smtp.HeloName;

/**
 * What the client's newest HELO or EHLO said, and what we offered in return. Immutable.
 *
 * @param extended true for EHLO
 * @param offered what this session may use of the upstream's extensions; NONE after HELO
 */
record ClientHello(HeloName name, boolean extended, UpstreamExtensions offered) {}
