/**
 * The mail servers behind the gateway: routes, groups with backups, connections and their dialog,
 * the health of each server, and the answers that are remembered for a client's next try.
 *
 * <p>Called by sessions on their own threads, by housekeeping for probes; the only package that
 * uses commons-net. {@link io.bloomgate.gateway.relay.MailRoutes} is the way in.
 */
@NullMarked
package io.bloomgate.gateway.relay;

import org.jspecify.annotations.NullMarked;
