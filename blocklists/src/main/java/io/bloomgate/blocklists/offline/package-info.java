/**
 * Work on filter files without a gateway: from list files to a filter, questions to it, and two of
 * them side by side.
 *
 * <p>Called by the {@code filter} commands, on their one thread. Nothing here is part of what a
 * running gateway does.
 */
@NullMarked
package io.bloomgate.blocklists.offline;

import org.jspecify.annotations.NullMarked;
