/**
 * Files that are written once, never changed, and refused when a single bit of them is wrong.
 *
 * <p>{@link io.bloomgate.blocklists.file.PagedFileWriter} and {@link
 * io.bloomgate.blocklists.file.PagedFile} are the one format under filters and exact indexes;
 * {@link io.bloomgate.blocklists.file.DurableFiles} replaces small files so that a crash leaves the
 * old or the new one, and {@link io.bloomgate.blocklists.file.CheckedJson} notices when one of
 * these was damaged. Written on the feed-refresher thread, read on any.
 */
@NullMarked
package io.bloomgate.blocklists.file;

import org.jspecify.annotations.NullMarked;
