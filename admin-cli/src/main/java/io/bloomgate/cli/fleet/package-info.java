/** The {@code fleet} commands: several gateways that share lists. One thread, the command's own. */
@NullMarked
package io.bloomgate.cli.fleet;

import org.jspecify.annotations.NullMarked;
