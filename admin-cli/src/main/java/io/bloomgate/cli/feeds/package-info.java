/**
 * The commands of {@code feeds}, and what they print. {@link io.bloomgate.cli.feeds.FeedsCommands}
 * is the way in.
 *
 * <p>{@code feeds test} and {@code feeds diff} work without a gateway. One thread.
 */
@NullMarked
package io.bloomgate.cli.feeds;

import org.jspecify.annotations.NullMarked;
