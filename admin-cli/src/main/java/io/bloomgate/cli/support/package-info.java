/**
 * {@code bloomgate support dump}: one file for who helps with a problem, without keys and without
 * addresses of people. Run by the command tree on the command's own thread.
 */
@NullMarked
package io.bloomgate.cli.support;

import org.jspecify.annotations.NullMarked;
