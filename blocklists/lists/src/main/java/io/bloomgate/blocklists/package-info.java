/**
 * The door of blocklists: {@link io.bloomgate.blocklists.Blocklists} for a running gateway, {@link
 * io.bloomgate.blocklists.OfflineBlocklists} for the command line. Both put the rooms below
 * together; the architecture test names the few other types that gateway and command line may use.
 *
 * <p>Sessions and commands ask on their own threads; opened and closed by the composition root.
 */
@NullMarked
package io.bloomgate.blocklists;

import org.jspecify.annotations.NullMarked;
