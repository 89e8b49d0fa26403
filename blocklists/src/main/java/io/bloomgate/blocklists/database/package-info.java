/**
 * Files of SQLite: {@link io.bloomgate.blocklists.database.SqliteFile} opens and proves one.
 *
 * <p>Each object says which thread may call it; commits block until they are on the disk.
 */
@NullMarked
package io.bloomgate.blocklists.database;

import org.jspecify.annotations.NullMarked;
