/**
 * The well-known feeds that are a part of the program, and the first settings of a gateway, which
 * are made of them. Called by the command line and by the page; immutable.
 */
@NullMarked
package io.bloomgate.config.catalogue;

import org.jspecify.annotations.NullMarked;
