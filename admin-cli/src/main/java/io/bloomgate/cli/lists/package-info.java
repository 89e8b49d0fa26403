/**
 * The commands of {@code allow} and {@code block}, and {@code import}. {@link
 * io.bloomgate.cli.lists.ListCommands} is the way in, {@link io.bloomgate.cli.lists.ImportCommand}
 * reads lists of other mail software. One thread.
 */
@NullMarked
package io.bloomgate.cli.lists;

import org.jspecify.annotations.NullMarked;
