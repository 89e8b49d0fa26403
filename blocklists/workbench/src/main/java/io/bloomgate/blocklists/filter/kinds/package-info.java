/**
 * The kinds of filter that mail does not pass through: classic, scalable, cuckoo, fuse and cascade;
 * and the table of all kinds, which builds, reads and merges any of them.
 *
 * <p>Called by the {@code filter} commands on their one thread, through the workbench, and by
 * benchmarks. Nothing of a running gateway may import it.
 */
@NullMarked
package io.bloomgate.blocklists.filter.kinds;

import org.jspecify.annotations.NullMarked;
