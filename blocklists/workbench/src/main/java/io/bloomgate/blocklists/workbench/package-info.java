/**
 * Work on filter files without a gateway: from list files to a filter, questions to it, and two of
 * them side by side.
 *
 * <p>Called by the {@code filter} commands on their one thread. Nothing of a running gateway may
 * import it.
 */
@NullMarked
package io.bloomgate.blocklists.workbench;

import org.jspecify.annotations.NullMarked;
