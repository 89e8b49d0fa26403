/**
 * The commands of {@code filter}: filter files are made, read and compared without a gateway.
 * {@link io.bloomgate.cli.filter.FilterCommands} is the way in. One thread.
 */
@NullMarked
package io.bloomgate.cli.filter;

import org.jspecify.annotations.NullMarked;
