/* cairn/cairn.h -- all doors at once. */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include <cairn/base.h>
#include <cairn/batch.h>
#include <cairn/collide.h>
#include <cairn/cone.h>
#include <cairn/contact.h>
#include <cairn/draw.h>
#include <cairn/file_format.h>
#include <cairn/gradient.h>
#include <cairn/io.h>
#include <cairn/lcp.h>
#include <cairn/linalg.h>
#include <cairn/linearize.h>
#include <cairn/model.h>
#include <cairn/proof.h>
#include <cairn/qp.h>
#include <cairn/robot.h>
#include <cairn/robot_files.h>
#include <cairn/step.h>
#include <cairn/tree.h>
#include <cairn/world.h>

#endif
