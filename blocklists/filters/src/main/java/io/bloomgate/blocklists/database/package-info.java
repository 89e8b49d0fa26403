/**
 * Files of SQLite: {@link io.bloomgate.blocklists.database.SqliteFile} opens and proves one, {@link
 * io.bloomgate.blocklists.database.FeedStates} is the one with the state of all feeds. The
 * operator's entries are in {@code blocklists.operator}, which uses the same opening.
 *
 * <p>Each object says which thread may call it; commits block until they are on the disk.
 */
@NullMarked
package io.bloomgate.blocklists.database;

import org.jspecify.annotations.NullMarked;
