/**
 * {@code bloomgate backup} and {@code restore}. Run by the command tree on the command's own
 * thread, as the user who called it; no gateway is asked.
 */
@NullMarked
package io.bloomgate.cli.backup;

import org.jspecify.annotations.NullMarked;
