/**
 * {@code bloomgate dedup}: the lines of a stream that were not seen before, in constant memory.
 * {@link io.bloomgate.blocklists.workbench.dedup.Dedup} is the way in. One thread.
 */
@NullMarked
package io.bloomgate.blocklists.workbench.dedup;

import org.jspecify.annotations.NullMarked;
